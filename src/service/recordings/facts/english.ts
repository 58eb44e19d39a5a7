const numbers = 'no one two three four five six seven eight nine ten'.split(' ')

/** Spells a whole number up to ten, as prose does. */
export function spelledNumber(count: number): string {
  return numbers[count] ?? count.toLocaleString('en')
}

/** Returns a count with its noun: `four pages`, `one page`. */
export function spelledCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${spelledNumber(count)} ${count === 1 ? noun : plural}`
}

/** Returns ` twice` or ` five times`; an empty text for one. */
export function timesText(count: number): string {
  return count < 2 ? '' : count === 2 ? ' twice' : ` ${spelledNumber(count)} times`
}

/** Lists items as `a, b and c`; beyond `max`, counts the rest: `a, b, c and two others`, or with a noun `… two more pages`. */
export function listed(items: readonly string[], max = 4, noun?: string): string {
  const shown = items.length > max ? items.slice(0, max - 1) : items
  const rest = items.length - shown.length
  const all = rest > 0 ? [...shown, spelledCount(rest, noun ? `more ${noun}` : 'other')] : shown
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

/** Adds a full stop, unless the text already ends a sentence, as a page's messages often do. */
export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Formats milliseconds as `8 s`, `3 min 20 s` or `1 h 5 min`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${Math.max(seconds, 1)} s`
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats seconds as players do: `0:07`, `1:02:03`. */
export function playerTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const end = `${hours > 0 ? String(minutes).padStart(2, '0') : minutes}:${String(whole % 60).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${end}` : end
}

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
