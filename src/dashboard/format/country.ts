const names = new Intl.DisplayNames('en', { type: 'region' })

/** Returns the name of a country: `Germany` for `DE`; an unknown code stays unchanged. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
