import type { SharingConfiguration } from '../../../contract/sharing.ts'

/** Returns the URL that opens a shared recording without an API key. */
export function sharedLink({ access_token: token }: Pick<SharingConfiguration, 'access_token'>): string {
  return `${location.origin}/shared/${token}`
}
