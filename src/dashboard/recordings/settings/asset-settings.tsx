import { useState } from 'react'
import { assetSources, RecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SelectField, TextareaField } from '../../ui/controls/field.tsx'
import { counted } from '../../format/amount.ts'
import { hostsIn } from './hosts-in.ts'
import type { SettingProps } from './setting-props.ts'

const choices = {
  any: 'From any public host',
  listed: 'Only from listed hosts',
  off: 'Never',
} as const

/** Chooses the hosts from which the service may fetch assets. */
export function AssetSettings({ settings, reason, change }: SettingProps) {
  const { assets, asset_hosts: saved } = settings
  const [text, setText] = useState(saved.join('\n'))
  const hosts = hostsIn(text)
  const error = hostsError(hosts)
  const isChanged = hosts.join() !== saved.join()
  return (
    <>
      <p className="text-ink-2">
        A recording contains only the addresses of a page’s images and fonts, and of some of its style sheets.
        The service fetches each file once, without cookies and never from a private network, so that replays
        keep looking as the visitor saw the page.
      </p>
      <SelectField
        label="Fetch"
        value={assets}
        disabled={reason !== null}
        onChange={(event) => {
          const chosen = assetSources.find((source) => source === event.target.value)
          if (chosen) change({ assets: chosen }, `Fetch: ${choices[chosen].toLowerCase()}.`)
        }}
      >
        {assetSources.map((source) => (
          <option key={source} value={source}>
            {choices[source]}
          </option>
        ))}
      </SelectField>
      {assets === 'listed' && (
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (error === undefined)
              change({ asset_hosts: hosts }, `${counted(hosts.length, 'host')} listed.`)
          }}
        >
          <TextareaField
            label="Hosts"
            value={text}
            disabled={reason !== null}
            error={error}
            hint={
              hosts.length === 0
                ? 'One per line. Nothing is fetched until a host is listed.'
                : 'One per line. A host does not include its subdomains.'
            }
            onChange={(event) => setText(event.target.value)}
          />
          {isChanged && (
            <div>
              <Button type="submit" reason={reason}>
                Save hosts
              </Button>
            </div>
          )}
        </form>
      )}
    </>
  )
}

/** Returns the reason why the hosts cannot be saved; undefined if they can be. */
function hostsError(hosts: readonly string[]): string | undefined {
  const issue = RecordingSettings.shape.asset_hosts.safeParse(hosts).error?.issues[0]
  const host = hosts[Number(issue?.path[0])]
  return issue && host !== undefined ? `${host}: ${issue.message}` : issue?.message
}
