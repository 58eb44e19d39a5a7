/** Fewest and most characters of a password. */
export const passwordLength = { min: 10, max: 500 }
