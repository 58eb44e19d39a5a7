/* The code that a shop adds to its pages to record visits. */
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
  // Scripts that drive the shop can override these options.
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
