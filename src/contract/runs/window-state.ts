/**
 * State of a window. `short`: completed, but with fewer records than counted; `waiting`: its run has not started, or waits for
 * its next attempt; `due`: ended, the schedule will create its run; `missing`: ended, and no run will export it;
 * `paused`: skipped by a pause; `before` and `after`: outside the export's lifetime; `future`: not ended yet.
 */
const letters = {
  completed: 'c',
  short: 's',
  failed: 'f',
  running: 'r',
  waiting: 'w',
  due: 'd',
  missing: 'm',
  paused: 'p',
  before: 'b',
  after: 'a',
  future: 'u',
}
export type WindowState = keyof typeof letters
export const windowStates = Object.keys(letters) as WindowState[]
const stateOf = new Map(windowStates.map((state) => [letters[state], state]))

/** Maximum number of windows per coverage request. */
export const coverageWindowsMax = 10_500

/** Encodes each state as one letter. */
export function encodeStates(states: readonly WindowState[]): string {
  return states.map((state) => letters[state]).join('')
}

/** Decodes the letters of `encodeStates`; a letter that only a newer service knows becomes `future`. */
export function decodeStates(text: string): WindowState[] {
  return Array.from(text, (letter) => stateOf.get(letter) ?? 'future')
}
