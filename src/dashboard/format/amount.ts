const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** Formats a number: `4,812,204`. */
export function count(value: number): string {
  return whole.format(value)
}

/** Formats a number with its noun: `1 run`, `12 runs`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Formats a number of bytes in decimal units: `999 B`, `1.5 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(value, 1)) / 3)))
  return `${short.format(value / 1000 ** power)} ${units[power]}`
}

/** Formats a share from 0 to 1 as a whole percentage, rounded down so that only 1 gives `100 %`. */
export function percent(share: number): string {
  return `${share >= 1 ? 100 : Math.max(0, Math.floor(share * 100))} %`
}
