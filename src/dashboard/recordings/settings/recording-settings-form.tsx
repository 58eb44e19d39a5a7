import type { ReactNode } from 'react'
import type { RecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { useChangeRecordingSettings } from '../../queries/recordings/recording-settings.ts'
import { Icon } from '../../ui/icon.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { AssetSettings } from './asset-settings.tsx'
import type { ChangeSettings, SettingProps } from './setting-props.ts'

/** The recording settings of the project. Switches and choices are saved at once, the list of hosts by a button. */
export function RecordingSettingsForm({ settings }: { settings: RecordingSettings }) {
  const { projectId, scopes } = useAccount()
  const { mutate } = useChangeRecordingSettings(projectId)
  const reason = recordingCan.change(scopes)
  const change: ChangeSettings = (changes, done) => {
    const names = Object.keys(changes) as (keyof RecordingSettings)[]
    const before = Object.fromEntries(names.map((name) => [name, settings[name]]))
    const undo = () => mutate(before, { onError: toastFailure('The change could not be undone.') })
    mutate(changes, {
      onSuccess: () => toast(done, { undo }),
      onError: toastFailure('The settings could not be saved.'),
    })
  }
  const saving = { settings, reason, change }
  return (
    <div className="flex max-w-160 flex-col gap-8">
      {reason !== null && (
        <p className="text-ink-2">You can see these settings but not change them: {reason}.</p>
      )}
      <Group title="Page">
        <Setting
          {...saving}
          name="canvas"
          label="Canvas elements"
          hint="Records charts, maps and games that a page draws, as up to 3 pictures a second. Recordings become larger."
          warning="Text in a canvas cannot be masked."
        />
      </Group>
      <Group title="Network">
        <p className="text-ink-2">
          The method, address, status, size and timing of each request are always recorded.
        </p>
        <Setting
          {...saving}
          name="network_headers"
          label="Headers of requests and responses"
          hint="Authorization, cookies, tokens and passwords are redacted before headers are stored."
          warning="Headers with other names can contain secrets and the visitor’s identity; they are stored as sent."
        />
        <Setting
          {...saving}
          name="network_bodies"
          label="Bodies of requests and responses"
          hint="Fields named as a token or a password are redacted before bodies are stored."
          warning="Bodies can contain whatever visitors enter or see: names, addresses, messages, payments. Anyone who can watch a recording can read them."
        />
      </Group>
      <Group title="Images, fonts and style sheets">
        <AssetSettings {...saving} key={settings.asset_hosts.join(' ')} />
      </Group>
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h2 className="border-b border-line pb-1.5 text-lg">{title}</h2>
      {children}
    </section>
  )
}

type SwitchedSetting = {
  name: 'canvas' | 'network_headers' | 'network_bodies'
  label: string
  hint: string
  /** Risk of turning the setting on. */
  warning: string
}

function Setting({ settings, reason, change, name, label, hint, warning }: SettingProps & SwitchedSetting) {
  const toggle = (on: boolean) => change({ [name]: on }, `${label}: ${on ? 'recorded' : 'not recorded'}.`)
  return (
    <div className="flex gap-3">
      <Switch label={label} on={settings[name]} reason={reason} onChange={toggle} />
      <div className="min-w-0">
        <div className="font-medium">{label}</div>
        <p className="text-ink-2">{hint}</p>
        <p className="flex gap-1.5 text-short-ink">
          <span className="pt-0.5">
            <Icon name="alert" />
          </span>
          {warning}
        </p>
      </div>
    </div>
  )
}
