const storageKey = 'spool.key'

type Stores = { tab: () => Storage; device: () => Storage }

/** The API key of the signed-in user, stored for this tab or remembered on this device. */
export type Session = {
  key: () => string | null
  signIn: (key: string, remember: boolean) => void
  signOut: () => void
}

export function createSession(stores: Stores): Session {
  return {
    key: () => stores.tab().getItem(storageKey) ?? stores.device().getItem(storageKey),
    signIn: (key, remember) => {
      stores.tab().setItem(storageKey, key)
      if (remember) stores.device().setItem(storageKey, key)
      else stores.device().removeItem(storageKey)
    },
    signOut: () => {
      stores.tab().removeItem(storageKey)
      stores.device().removeItem(storageKey)
    },
  }
}

/** The session of this browser. */
export const session = createSession({ tab: () => sessionStorage, device: () => localStorage })

/** Returns the key in a sign-in URL's fragment (`#key=…`), or null. */
export function keyInFragment(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('key') || null
}

/** Signs in with the key in the page's URL, if any, and removes it from the URL. Returns whether there was one. */
export function signInFromUrl(into: Session): boolean {
  const key = keyInFragment(location.hash)
  if (key === null) return false
  history.replaceState(history.state, '', location.pathname + location.search)
  into.signIn(key, false)
  return true
}
