import type { Session } from './session.ts'

const name = 'spool.sign-out'

/** Signs out the other tabs that use the same key. */
export function signOutOtherTabs(session: Session): void {
  const channel = new BroadcastChannel(name)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have no target origin
  channel.postMessage(session.key())
  channel.close()
}

/** Calls `signOut` when another tab with the same key signs out. */
export function watchSignOut(session: Session, signOut: () => void): void {
  new BroadcastChannel(name).addEventListener('message', ({ data: key }: MessageEvent<string | null>) => {
    if (key !== null && key === session.key()) signOut()
  })
}
