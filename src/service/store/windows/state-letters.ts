import { encodeStates, type WindowState } from '../../../contract/runs/window-state.ts'

/*
 * States of contiguous windows as letters, oldest first, as `encodeStates` gives them and as they are stored. Home reads those of
 * 200,000 windows, which would take most of its time as objects.
 */

const [completed, short, failed] = [
  encodeStates(['completed']),
  encodeStates(['short']),
  encodeStates(['failed']),
]

/** Returns the index of the first failed window since the last completed one; -1 if none has failed since. */
export function failedSince(letters: string): number {
  const lastGood = Math.max(letters.lastIndexOf(completed), letters.lastIndexOf(short))
  return letters.indexOf(failed, lastGood + 1)
}

/** The codes of the letters of some states. */
export function codesOf(states: Iterable<WindowState>): ReadonlySet<number> {
  return new Set(Array.from(encodeStates([...states]), (letter) => letter.charCodeAt(0)))
}

/** Whether one of the windows is in one of these states. */
export function includesState(letters: string, ...states: WindowState[]): boolean {
  return Array.from(encodeStates(states)).some((letter) => letters.includes(letter))
}
