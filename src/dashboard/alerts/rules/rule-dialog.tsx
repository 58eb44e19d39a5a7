import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AlertKind,
  defaultRule,
  exportAlertKinds,
  type AlertRule,
  type RuleSettings,
} from '../../../contract/alerts/alert-rule.ts'
import { useAccount } from '../../account.ts'
import { changeAlerts, rulesQuery, channelsQuery } from '../../queries/alerts.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { CheckboxField, SelectField, TextField } from '../../ui/controls/field.tsx'
import { Options } from '../../ui/controls/options.tsx'
import { kindNames, ruleInWords, channelTypeNames, everyMinutes } from '../../format/alert.ts'
import { createRule, namedRule, settingsOf, type RuleTarget } from './change-rule.ts'
import { count } from '../../format/amount.ts'
import { useSending } from '../use-sending.ts'

type RuleDialogProps = {
  /** The rule to change; null adds one for an export. */
  rule: AlertRule | null
  onClose: () => void
}

/** Changes a rule, or adds one for an export. */
export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const sending = useSending()
  const [settings, setSettings] = useState<RuleSettings>(rule ? settingsOf(rule) : defaultRule)
  const change = (changed: Partial<RuleSettings>) => setSettings({ ...settings, ...changed })
  const [kind, setKind] = useState(rule?.kind ?? 'failed')
  const [wide, setWide] = useState(rule?.level === 'organization')
  const [exportId, setExportId] = useState(rule?.batch_export?.id ?? '')
  const isForExport = rule === null || rule.level === 'export'
  const free = useExportsWithoutRule(kind)
  const chosen = rule ? exportId : (free?.find(({ id }) => id === exportId) ?? free?.[0])?.id
  const target: RuleTarget = isForExport
    ? { kind, level: 'export', ...(chosen === undefined ? {} : { batch_export: chosen }) }
    : { kind, level: wide ? 'organization' : 'project' }
  const save = useMutation({
    mutationFn: () => {
      const { late_minutes: late, channels } = settings
      const body = {
        ...settings,
        late_minutes: kind === 'late' ? late : null,
        channels: wide ? null : channels,
      }
      return rule?.id != null && rule.level === target.level
        ? changeAlerts(sending, 'updateAlertRule', { id: rule.id, body })
        : createRule(sending, target, body)
    },
    onSuccess: (saved) => {
      toast(`Saved ${namedRule(saved)}.`)
      onClose()
    },
  })
  return (
    <Dialog title={rule ? `Rule ${namedRule(rule)}` : 'Override a rule for an export'} onClose={onClose}>
      <Form noValidate onSubmit={() => lateError(settings) === null && save.mutate()}>
        {rule === null && (
          <>
            <SelectField
              label="Rule"
              value={kind}
              onChange={(event) => setKind(AlertKind.parse(event.target.value))}
            >
              <Options of={exportAlertKinds.map((each) => [each, kindNames[each]])} />
            </SelectField>
            <SelectField
              label="Export"
              value={chosen ?? ''}
              error={free?.length === 0 && 'Every export has its own rule of this kind.'}
              onChange={(event) => setExportId(event.target.value)}
            >
              <Options of={free?.map(({ id, name }) => [id, name]) ?? []} />
            </SelectField>
          </>
        )}
        <p className="text-ink-2">{ruleInWords({ kind, late_minutes: settings.late_minutes })}</p>
        {!isForExport && rule.level !== 'project' && <ReachField wide={wide} onWide={setWide} />}
        <CheckboxField
          label="On"
          hint="Off: no incident opens; an open one recovers."
          checked={settings.enabled}
          onChange={(event) => change({ enabled: event.target.checked })}
        />
        <RuleSettingsFields kind={kind} settings={settings} wide={wide} onChange={change} />
        {save.error && <ProblemNote error={save.error} />}
        <FormActions
          onCancel={onClose}
          busy={save.isPending}
          reason={isForExport && chosen === undefined ? 'There is no export to choose.' : null}
        >
          Save
        </FormActions>
      </Form>
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

/** Chooses whether a rule applies to the project or, if `wide`, to the organization. */
function ReachField({ wide, onWide }: { wide: boolean; onWide: (wide: boolean) => void }) {
  const { user } = useAccount()
  const isLimited = !user.all_teams
  return (
    <SelectField
      label="Applies to"
      value={wide ? 'organization' : 'project'}
      hint={isLimited && 'You have access to some projects only, so you cannot change all of them.'}
      onChange={(event) => onWide(event.target.value === 'organization')}
    >
      <option value="project">this project</option>
      <option value="organization" disabled={isLimited}>
        all projects of the organization
      </option>
    </SelectField>
  )
}

const reminders = [0, 60, 240, 480, 1440, 10_080]
const lateMinutesUsual = 60
const lateMinutesMax = 43_200

/** Returns why the threshold cannot be saved; null if it can. */
function lateError({ late_minutes: late }: RuleSettings): string | null {
  if (late === null || (Number.isInteger(late) && late >= 1 && late <= lateMinutesMax)) return null
  return `Enter whole minutes from 1 to ${count(lateMinutesMax)}.`
}

type SettingsProps = {
  kind: AlertKind
  settings: RuleSettings
  /** The rule applies to all projects, and notifies all their channels. */
  wide: boolean
  onChange: (changed: Partial<RuleSettings>) => void
}

/** The threshold, the reminders and the channels of a rule. */
function RuleSettingsFields({ kind, settings, wide, onChange }: SettingsProps) {
  const { remind_minutes: remind } = settings
  const choices = [...new Set([...reminders, remind])].sort((one, other) => one - other)
  return (
    <>
      {kind === 'late' && <LateField settings={settings} onChange={onChange} />}
      <SelectField
        label="Reminders of an open incident"
        value={remind}
        onChange={(event) => onChange({ remind_minutes: Number(event.target.value) })}
      >
        <Options of={choices.map((minutes) => [minutes, minutes === 0 ? 'none' : everyMinutes(minutes)])} />
      </SelectField>
      {wide ? (
        <p className="text-ink-2">A rule for all projects notifies every channel of each project.</p>
      ) : (
        <ChannelsField settings={settings} onChange={onChange} />
      )}
    </>
  )
}

type FieldProps = Pick<SettingsProps, 'settings' | 'onChange'>

function LateField({ settings, onChange }: FieldProps) {
  const { late_minutes: late } = settings
  return (
    <div className="flex flex-wrap items-start gap-3">
      <SelectField
        label="Late after"
        value={late === null ? 'computed' : 'fixed'}
        onChange={(event) =>
          onChange({ late_minutes: event.target.value === 'fixed' ? lateMinutesUsual : null })
        }
      >
        <option value="computed">Automatic (2 × usual run time)</option>
        <option value="fixed">Fixed</option>
      </SelectField>
      {late !== null && (
        <TextField
          label="Minutes after the window’s end"
          type="number"
          min={1}
          max={lateMinutesMax}
          error={lateError(settings)}
          value={Number.isNaN(late) ? '' : late}
          onChange={(event) => onChange({ late_minutes: event.target.valueAsNumber })}
        />
      )}
    </div>
  )
}

function ChannelsField({ settings, onChange }: FieldProps) {
  const { projectId } = useAccount()
  const { data } = useQuery(channelsQuery(projectId))
  const all = data?.results ?? []
  const { channels } = settings
  const toggle = (id: string, on: boolean) => {
    const others = (channels ?? []).filter((other) => other !== id)
    onChange({ channels: on ? [...others, id] : others })
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Notifies</legend>
      <CheckboxField
        label="All channels, including those added later"
        checked={channels === null}
        onChange={(event) => onChange({ channels: event.target.checked ? null : all.map(({ id }) => id) })}
      />
      {channels !== null &&
        all.map(({ id, name, type }) => (
          <CheckboxField
            key={id}
            label={
              <span className="wrap-anywhere">
                {name} <span className="text-ink-3">{channelTypeNames[type]}</span>
              </span>
            }
            checked={channels.includes(id)}
            onChange={(event) => toggle(id, event.target.checked)}
          />
        ))}
      {channels?.length === 0 && (
        <p className="text-short-ink">No channel is notified; incidents are only listed here.</p>
      )}
    </fieldset>
  )
}
