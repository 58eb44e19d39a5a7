import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import type { AlertRule } from '../../../contract/alerts/alert-rule.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { useAccount } from '../../account.ts'
import { channelsQuery, rulesQuery } from '../../queries/alerts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { actionsColumn } from '../../ui/list/list-column.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { Switch } from '../../ui/controls/switch.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { kindNames, remindersInWords, ruleInWords } from '../../format/alert.ts'
import { counted } from '../../format/amount.ts'
import { namedRule, resetRule, switchRule } from './change-rule.ts'
import { shownRules } from './shown-rules.ts'
import { useSending } from '../use-sending.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const RuleDialog = lazyNamed(() => import('./rule-dialog.tsx'), 'RuleDialog')

/** The rule of each kind that applies to the project, and the rules of single exports. */
export function RulesView() {
  const { projectId, scopes } = useAccount()
  const { data, error, refetch } = useQuery(rulesQuery(projectId))
  const [adding, setAdding] = useState(false)
  const rows = useMemo(() => data && shownRules(data.results), [data])
  const reason = writeReason(scopes)
  const add = () => setAdding(true)
  usePaletteActions([{ id: 'alerts override', label: 'Override a rule for an export', reason, run: add }])
  return (
    <>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-160 text-ink-2">
          All rules are on by default. An incident sends each channel one message when it opens, reminders
          while it lasts, and one message when it recovers: never one per run.
        </p>
        <Button reason={reason} onClick={add}>
          Override for an export
        </Button>
      </div>
      <DataTable
        caption="Rules"
        columns={columns}
        rows={rows}
        rowKey={({ id, kind }) => id ?? kind}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title="No rules" />}
      />
      <Suspense>{adding && <RuleDialog rule={null} onClose={() => setAdding(false)} />}</Suspense>
    </>
  )
}

const columns: readonly Column<AlertRule>[] = [
  { header: 'On', cell: (rule) => <RuleSwitch rule={rule} /> },
  { header: 'Rule', fills: true, cell: (rule) => <RuleText rule={rule} /> },
  { header: 'Set', hiddenBelow: 'lg', cell: (rule) => <span className="text-ink-2">{setBy(rule)}</span> },
  { ...actionsColumn, hiddenBelow: 'md', cell: (rule) => <RuleButtons rule={rule} /> },
]

function RuleSwitch({ rule }: { rule: AlertRule }) {
  const { scopes } = useAccount()
  const sending = useSending()
  return (
    <Switch
      label={`Rule ${namedRule(rule)}`}
      on={rule.enabled}
      reason={writeReason(scopes)}
      onChange={(on) => void switchRule(sending, rule, on)}
    />
  )
}

function RuleText({ rule }: { rule: AlertRule }) {
  const { level, batch_export: of } = rule
  return (
    <div className={`wrap-anywhere ${level === 'export' ? 'border-l-2 border-line-strong pl-3' : ''}`}>
      <p className="font-medium">
        {kindNames[rule.kind]}
        {of && (
          <span className="font-normal">
            {' of '}
            <TextLink to="/exports/$id" params={{ id: of.id }}>
              {of.name}
            </TextLink>
          </span>
        )}
      </p>
      <p className="text-ink-2">{ruleInWords(rule)}</p>
      <p className="text-xs text-ink-3">
        <ReceivingChannels channels={rule.channels} />, {remindersInWords(rule.remind_minutes)}
        <span className="lg:hidden"> · {setBy(rule)}</span>
      </p>
      <div className="mt-1 md:hidden">
        <RuleButtons rule={rule} />
      </div>
    </div>
  )
}

/** Says on what level a rule was set, and by whom. */
function setBy({ level, by }: AlertRule): string {
  if (level === 'default') return 'Default'
  const reach = { organization: 'Set for all projects by', project: 'Set for this project by', export: 'By' }
  return `${reach[level]} ${by ?? 'a key'}`
}

/** Names the channels that a rule notifies. */
function ReceivingChannels({ channels }: Pick<AlertRule, 'channels'>) {
  const { projectId } = useAccount()
  const { data } = useQuery(channelsQuery(projectId))
  if (channels === null) return 'All channels'
  if (channels.length === 0) return 'No channel'
  const names = data?.results.filter(({ id }) => channels.includes(id)).map(({ name }) => name)
  return names?.join(', ') ?? counted(channels.length, 'channel')
}

function RuleButtons({ rule }: { rule: AlertRule }) {
  const { scopes } = useAccount()
  const sending = useSending()
  const [changing, setChanging] = useState(false)
  const reason = writeReason(scopes)
  return (
    <span className="flex gap-2 max-md:flex-wrap md:justify-end">
      {rule.level !== 'default' && (
        <Button
          look="quiet"
          reason={reason}
          aria-label={`Reset ${namedRule(rule)}`}
          onClick={() => void resetRule(sending, rule)}
        >
          {rule.level === 'export' ? 'Delete override' : 'Back to default'}
        </Button>
      )}
      <Button reason={reason} aria-label={`Change ${namedRule(rule)}`} onClick={() => setChanging(true)}>
        Change
      </Button>
      <Suspense>{changing && <RuleDialog rule={rule} onClose={() => setChanging(false)} />}</Suspense>
    </span>
  )
}
