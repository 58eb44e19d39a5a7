const storageKey = 'spool.key'
const channelName = 'spool.sign-out'

/** The API key of the signed-in user, stored for this tab or remembered on this device. */
export const session = {
  /** Returns the tab's key; a new tab adopts the remembered one. */
  key: (): string | null => {
    const own = sessionStorage.getItem(storageKey)
    if (own !== null) return own
    const remembered = localStorage.getItem(storageKey)
    if (remembered !== null) sessionStorage.setItem(storageKey, remembered)
    return remembered
  },
  /** Whether new tabs are signed in with the same key. */
  isRemembered: () => session.key() !== null && session.key() === localStorage.getItem(storageKey),
  signIn: (key: string, remember: boolean) => {
    sessionStorage.setItem(storageKey, key)
    if (remember) localStorage.setItem(storageKey, key)
    else localStorage.removeItem(storageKey)
  },
  /** Forgets the key, here and where it is remembered; another tab's key stays. */
  signOut: () => {
    if (session.isRemembered()) localStorage.removeItem(storageKey)
    sessionStorage.removeItem(storageKey)
  },
}

/** Returns the key in a sign-in URL's fragment (`#key=…`), or null. */
export function keyInFragment(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('key') || null
}

/**
 * Signs in with the key in the page's URL, if any, remembers it for the browser's other tabs, and removes it from the URL.
 * Returns whether there was one.
 */
export function signInFromUrl(): boolean {
  const key = keyInFragment(location.hash)
  if (key === null) return false
  history.replaceState(history.state, '', location.pathname + location.search)
  session.signIn(key, true)
  return true
}

/** Signs out the other tabs that use the same key. */
export function signOutOtherTabs(): void {
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have no target origin
  channel.postMessage(session.key())
  channel.close()
}

/** Calls `signOut` when another tab with the same key signs out. */
export function watchSignOut(signOut: () => void): void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data: key }: MessageEvent<string | null>) => {
    if (key !== null && key === session.key()) signOut()
  })
}
