import type { RecordingSettings } from '../../contract/recording-settings.ts'

/**
 * Returns the configuration that posthog-js requests first: which features to start, where they send data, and what they
 * record. The options of `posthog.init` take precedence.
 */
export function remoteConfig(settings: RecordingSettings) {
  return {
    sessionRecording: {
      endpoint: '/s/',
      consoleLogRecordingEnabled: true,
      recordCanvas: settings.canvas,
      // Pictures per second, and their quality from 0 to 1.
      canvasFps: 3,
      canvasQuality: '0.4',
      networkPayloadCapture: {
        recordHeaders: settings.network_headers,
        recordBody: settings.network_bodies,
      },
    },
    // Without network timing, a recording contains no requests.
    capturePerformance: { network_timing: true, web_vitals: false },
    supportedCompression: ['gzip-js'],
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    // Without this key, posthog-js leaves autocapture off.
    autocapture_opt_out: false,
  }
}

export type RemoteConfig = ReturnType<typeof remoteConfig>
