import { randomUUID } from 'node:crypto'
import type { MaskableInputType, PrivacySettings } from '../../contract/privacy/privacy-settings.ts'
import type { RecordingSettings } from '../../contract/recordings/recording-settings.ts'

/**
 * Returns the configuration that posthog-js requests first: which features to start, where they send data, and what they
 * record. The options of `posthog.init` take precedence. Recent versions request it at `/array/:token/config`, those from
 * 1.260 to 1.345 with their flags, older ones at `/decide`.
 */
export function remoteConfig(settings: RecordingSettings, privacy: PrivacySettings) {
  return {
    sessionRecording: {
      endpoint: '/s/',
      // posthog-js stores this option for our addition to its recorder.
      pageState: settings.page_state,
      consoleLogRecordingEnabled: true,
      recordCanvas: settings.canvas,
      // Pictures per second, and their quality from 0 to 1.
      canvasFps: 3,
      canvasQuality: '0.4',
      networkPayloadCapture: {
        recordHeaders: settings.network_headers,
        recordBody: settings.network_bodies,
      },
      masking: maskingOf(privacy),
      urlBlocklist: privacy.blocked_urls.map((url) => ({ url, matching: 'regex' })),
    },
    // Without network timing, a recording contains no requests.
    capturePerformance: { network_timing: true, web_vitals: false },
    supportedCompression: ['gzip-js'],
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    // Without this key, posthog-js leaves autocapture off; versions up to 1.100 read the other one.
    autocapture_opt_out: false,
    config: { enable_collect_everything: true },
  }
}

/** Old versions of posthog-js ignore these options, and mask all inputs. */
function maskingOf({ mask_inputs, ...privacy }: PrivacySettings) {
  const types = mask_inputs ? [] : privacy.masked_input_types.map(inputSelector)
  const blocked = [...privacy.blocked_selectors, ...types]
  return {
    maskAllInputs: mask_inputs,
    ...(privacy.masked_selectors.length > 0 && { maskTextSelector: privacy.masked_selectors.join() }),
    ...(blocked.length > 0 && { blockSelector: blocked.join() }),
  }
}

function inputSelector(type: MaskableInputType): string {
  if (type === 'textarea' || type === 'select') return type
  return type === 'text' ? 'input[type="text"],input:not([type])' : `input[type="${type}"]`
}

export type RemoteConfig = ReturnType<typeof remoteConfig>

/** Returns an empty set of feature flags; without this response, posthog-js would retry. */
export function noFeatureFlags() {
  return { errorsWhileComputingFlags: false, flags: {}, requestId: randomUUID() }
}
