import { useQuery } from '@tanstack/react-query'
import type { AlertKind, RuleSettings } from '../../../contract/alerts/alert-rule.ts'
import { useAccount } from '../../account.ts'
import { channelsQuery } from '../../queries/alerts.ts'
import { CheckboxField, SelectField, TextField } from '../../ui/controls/field.tsx'
import { channelTypeNames, minutesInWords } from '../../format/alert.ts'
import { count } from '../../format/amount.ts'

const reminders = [60, 240, 480, 1440, 10_080]
const lateMinutesUsual = 60
const lateMinutesMax = 43_200

/** Returns why the threshold cannot be saved; null if it can. */
export function lateError({ late_minutes: late }: RuleSettings): string | null {
  if (late === null || (Number.isInteger(late) && late >= 1 && late <= lateMinutesMax)) return null
  return `Enter whole minutes from 1 to ${count(lateMinutesMax)}.`
}

type SettingsProps = {
  kind: AlertKind
  settings: RuleSettings
  /** The rule applies to all projects, and notifies all their channels. */
  wide: boolean
  onChange: (settings: RuleSettings) => void
}

/** The threshold, the reminders and the channels of a rule. */
export function RuleSettingsFields({ kind, settings, wide, onChange }: SettingsProps) {
  const { remind_minutes: remind } = settings
  return (
    <>
      {kind === 'late' && <LateField settings={settings} onChange={onChange} />}
      <SelectField
        label="Reminders of an open incident"
        value={remind}
        onChange={(event) => onChange({ ...settings, remind_minutes: Number(event.target.value) })}
      >
        <option value={0}>none</option>
        {[...new Set([...reminders, ...(remind > 0 ? [remind] : [])])]
          .sort((one, other) => one - other)
          .map((minutes) => (
            <option key={minutes} value={minutes}>
              every {minutesInWords(minutes).replace(/^1 /, '')}
            </option>
          ))}
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
          onChange({ ...settings, late_minutes: event.target.value === 'fixed' ? lateMinutesUsual : null })
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
          onChange={(event) => onChange({ ...settings, late_minutes: event.target.valueAsNumber })}
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
    onChange({ ...settings, channels: on ? [...others, id] : others })
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Notifies</legend>
      <CheckboxField
        label="All channels, including those added later"
        checked={channels === null}
        onChange={(event) =>
          onChange({ ...settings, channels: event.target.checked ? null : all.map(({ id }) => id) })
        }
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
