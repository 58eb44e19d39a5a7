/** Tells the other tabs of the browser that something has happened, without saying what. */
export function tabChannel(name: string) {
  return {
    post(): void {
      const channel = new BroadcastChannel(name)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have no target origin
      channel.postMessage(null)
      channel.close()
    },
    /** Calls a listener whenever another tab posts; returns a function that unsubscribes. */
    listen(listener: () => void): () => void {
      const channel = new BroadcastChannel(name)
      channel.addEventListener('message', listener)
      return () => channel.close()
    },
  }
}
