import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import {
  AlertKind,
  defaultRule,
  exportAlertKinds,
  type AlertRule,
  type RuleSettings,
} from '../../../contract/alerts/alert-rule.ts'
import { useAccount } from '../../account.ts'
import { rulesQuery } from '../../queries/alerts.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { FormActions } from '../../ui/controls/form-actions.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { CheckboxField, SelectField } from '../../ui/controls/field.tsx'
import { kindNames, ruleInWords } from '../../format/alert.ts'
import { createRule, namedRule, settingsOf, updateRule, type RuleTarget } from './change-rule.ts'
import { lateError, RuleSettingsFields } from './rule-settings-fields.tsx'

type RuleDialogProps = {
  /** The rule to change; null adds one for an export. */
  rule: AlertRule | null
  onClose: () => void
}

/** Changes a rule, or adds one for an export. */
export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const { projectId } = useAccount()
  const client = useQueryClient()
  const [settings, setSettings] = useState<RuleSettings>(rule ? settingsOf(rule) : defaultRule)
  const [kind, setKind] = useState(rule?.kind ?? 'failed')
  const [wide, setWide] = useState(rule?.level === 'organization')
  const [exportId, setExportId] = useState(rule?.batch_export?.id ?? '')
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const isForExport = rule === null || rule.level === 'export'
  const free = useExportsWithoutRule(kind)
  const chosen = rule ? exportId : (free?.find(({ id }) => id === exportId) ?? free?.[0])?.id
  const target: RuleTarget = isForExport
    ? { kind, level: 'export', ...(chosen === undefined ? {} : { batch_export: chosen }) }
    : { kind, level: wide ? 'organization' : 'project' }
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (lateError(settings) !== null) return
    setBusy(true)
    setError(null)
    try {
      const sent = {
        ...settings,
        late_minutes: kind === 'late' ? settings.late_minutes : null,
        channels: wide ? null : settings.channels,
      }
      const sending = { client, projectId }
      const saved =
        rule?.id != null && rule.level === target.level
          ? await updateRule(sending, rule.id, sent)
          : await createRule(sending, target, sent)
      toast(`Saved ${namedRule(saved)}.`)
      onClose()
    } catch (problem) {
      if (!(problem instanceof Error)) throw problem
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Dialog title={rule ? `Rule ${namedRule(rule)}` : 'Override a rule for an export'} onClose={onClose}>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
        {rule === null && (
          <>
            <KindField kind={kind} onKind={setKind} />
            <SelectField
              label="Export"
              value={chosen ?? ''}
              error={free?.length === 0 && 'Every export has its own rule of this kind.'}
              onChange={(event) => setExportId(event.target.value)}
            >
              {free?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          </>
        )}
        <p className="text-ink-2">{ruleInWords({ kind, late_minutes: settings.late_minutes })}</p>
        {!isForExport && rule.level !== 'project' && <ReachField wide={wide} onWide={setWide} />}
        <CheckboxField
          label="On"
          hint="Off: no incident opens; an open one recovers."
          checked={settings.enabled}
          onChange={(event) => setSettings({ ...settings, enabled: event.target.checked })}
        />
        <RuleSettingsFields kind={kind} settings={settings} wide={wide} onChange={setSettings} />
        {error && <ProblemNote error={error} />}
        <FormActions
          onCancel={onClose}
          busy={busy}
          reason={isForExport && chosen === undefined ? 'There is no export to choose.' : null}
        >
          Save
        </FormActions>
      </form>
    </Dialog>
  )
}

/** Returns the exports that have no rule of this kind of their own; undefined while they are loading. */
function useExportsWithoutRule(kind: AlertKind) {
  const { projectId } = useAccount()
  const { data: overview } = useQuery(overviewQuery({ projectId }))
  const { data: rules } = useQuery(rulesQuery(projectId))
  const taken = rules?.results.flatMap((one) => (one.kind === kind ? (one.batch_export?.id ?? []) : []))
  return overview?.results.filter(({ id }) => !taken?.includes(id))
}

/** Chooses what a rule for an export watches. */
function KindField({ kind, onKind }: { kind: AlertKind; onKind: (kind: AlertKind) => void }) {
  return (
    <SelectField label="Rule" value={kind} onChange={(event) => onKind(AlertKind.parse(event.target.value))}>
      {exportAlertKinds.map((each) => (
        <option key={each} value={each}>
          {kindNames[each]}
        </option>
      ))}
    </SelectField>
  )
}

/** Chooses whether a rule applies to the project or, if `wide`, to the organization. */
function ReachField({ wide, onWide }: { wide: boolean; onWide: (wide: boolean) => void }) {
  const { apiKey } = useAccount()
  const isLimited = apiKey.scoped_teams !== null
  return (
    <SelectField
      label="Applies to"
      value={wide ? 'organization' : 'project'}
      hint={isLimited && 'Your key is limited to projects, so it cannot change all of them.'}
      onChange={(event) => onWide(event.target.value === 'organization')}
    >
      <option value="project">this project</option>
      <option value="organization" disabled={isLimited}>
        all projects of the organization
      </option>
    </SelectField>
  )
}
