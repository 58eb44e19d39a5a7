import { useSyncExternalStore } from 'react'

export type Toast = {
  id: number
  text: string
  tone: 'plain' | 'failed'
  undo?: (() => void) | undefined
}

const lifetimeMs = 6_000
const listeners = new Set<() => void>()
let toasts: readonly Toast[] = []
let lastId = 0

/** Says something for six seconds, or until it is closed when it reports a failure. */
export function toast(text: string, options: { tone?: Toast['tone']; undo?: () => void } = {}): void {
  const { tone = 'plain', undo } = options
  const id = ++lastId
  change([...toasts.slice(-2), { id, text, tone, undo }])
  if (tone === 'plain') setTimeout(() => closeToast(id), lifetimeMs)
}

/** Reports a failed action in the service's own words. */
export function toastFailure(what: string): (error: Error) => void {
  return (error) => toast(`${what} ${error.message}`, { tone: 'failed' })
}

export function closeToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
