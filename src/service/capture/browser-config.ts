import { randomUUID } from 'node:crypto'

/** What posthog-js asks for first: which of its parts to start, and where they send to. */
export function browserConfig() {
  return {
    sessionRecording: { endpoint: '/s/', consoleLogRecordingEnabled: true },
    supportedCompression: ['gzip-js'],
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    // Without this word posthog-js leaves autocapture off.
    autocapture_opt_out: false,
  }
}

/** There are no feature flags here, which is an answer too: without one, posthog-js would ask again. */
export function browserFlags() {
  return { errorsWhileComputingFlags: false, flags: {}, requestId: randomUUID() }
}
