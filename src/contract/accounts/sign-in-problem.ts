/** Why a sign-in with an identity provider failed, as the login page says it. The provider's own words are never shown. */
export const signInProblems = {
  unknown: 'This way to sign in does not exist or is turned off. Ask an owner of your organization.',
  unreachable:
    'The identity provider did not answer as it should. Try again, or ask an owner to test it under Settings, Sign-in.',
  expired:
    'This sign-in took longer than 10 minutes, was used before or began in another browser. Try again.',
  cancelled: 'The identity provider ended the sign-in. Try again, or ask its administrator for access.',
  invalid: 'The answer of the identity provider could not be verified. Try again.',
  email:
    'The identity provider has not confirmed an e-mail address of yours. Confirm it there, then try again.',
  domain: 'Your e-mail address is not from a domain that may sign in. Ask an owner of your organization.',
  groups:
    'Your groups give you no access. Ask an owner of your organization to give one of your groups a role.',
  elsewhere: 'You are also a member of another organization. Sign in with your password, or ask an owner.',
  another_site:
    'You are signed in, but another site asks to sign you in again. Continue only if you expected this; otherwise go back.',
  removed: 'You were removed from this organization. Ask an owner for an invite.',
} as const

export type SignInProblem = keyof typeof signInProblems
export const signInProblemNames = Object.keys(signInProblems) as SignInProblem[]
