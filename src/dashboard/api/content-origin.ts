const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** Returns the origin of the player's frame and the demo shop, which the service names in the page's document. */
export function contentOrigin(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="user-content-origin"]')
  const { hostname, origin } = new URL(meta?.content ?? '', location.href)
  // Behind a proxy that replaces the host, the service takes the page for one on its own machine.
  const isHidden = loopback.test(hostname) && !loopback.test(location.hostname)
  return isHidden ? location.origin : origin
}

/** Returns the address of the demo shop, which links back to this page's host. */
export function shopAddress(): string {
  const origin = contentOrigin()
  return `${origin}/demo/${origin === location.origin ? '' : `?from=${location.host}`}`
}
