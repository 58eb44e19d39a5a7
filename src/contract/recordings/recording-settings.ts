import { z } from 'zod'

/** Hosts from which the service may fetch images, fonts and style sheets of recorded pages: any public host, the listed ones, or none. */
export const assetSources = ['any', 'listed', 'off'] as const

const hostName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What posthog-js records on a project's sites besides the page, and which assets of the page the service fetches. */
export const RecordingSettings = z.object({
  /** Pictures of canvas elements. */
  canvas: z.boolean(),
  /** The visitor's color scheme and contrast, open dialogs and popovers, animations, fonts and images made by scripts, and the target of the address. */
  page_state: z.boolean(),
  network_headers: z.boolean(),
  network_bodies: z.boolean(),
  assets: z.enum(assetSources),
  /** Hosts for `listed`; a host does not include its subdomains. */
  asset_hosts: z
    .array(
      z.string().regex(hostName, {
        error: 'Enter only a host name in lower case, such as cdn.example.com.',
      }),
    )
    .max(100, { error: 'List at most 100 hosts.' }),
})
export type RecordingSettings = z.infer<typeof RecordingSettings>

/** The settings of a new project. */
export const defaultRecordingSettings: RecordingSettings = {
  canvas: false,
  page_state: true,
  network_headers: false,
  network_bodies: false,
  assets: 'any',
  asset_hosts: [],
}

export const RecordingSettingsUpdate = RecordingSettings.partial()
