/** Ways to sign in: the last is a key that was exchanged for a session. */
export const signInMethods = ['password', 'link', 'provider', 'passkey', 'key'] as const
export type SignInMethod = (typeof signInMethods)[number]
