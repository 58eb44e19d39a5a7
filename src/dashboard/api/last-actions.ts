import type { EndpointName } from '../../contract/endpoints.ts'

/** A request that changed something. */
export type SentAction = {
  name: EndpointName
  input: { params?: Record<string, string>; query?: object; body?: unknown }
  /** When the service confirmed it (ms). */
  at: number
}

const actionsMax = 20

let actions: readonly SentAction[] = []

export function noteAction(action: SentAction): void {
  actions = [action, ...actions].slice(0, actionsMax)
}

/** Returns the last actions of this tab, newest first. */
export function lastActions(): readonly SentAction[] {
  return actions
}
