/* What a shop puts into its pages to have its visits recorded. */
const isTest = navigator.webdriver || new URLSearchParams(location.search).has('test')

window.posthog.init(window.spoolProject.token, {
  api_host: location.origin,
  person_profiles: 'always',
  capture_pageview: true,
  capture_dead_clicks: true,
  capture_exceptions: true,
  capture_performance: { network_timing: true, web_vitals: false },
  session_recording: { maskAllInputs: false, maskInputOptions: { password: true } },
  opt_out_useragent_filter: isTest,
  // Who drives the shop by a script may want other ones.
  ...window.spoolProject.options,
})

export function capture(event, properties) {
  window.posthog.capture(event, properties)
}

export function identify(email, name) {
  window.posthog.identify(email, { email, ...(name && { name }) })
}

export function forget() {
  window.posthog.reset()
}
