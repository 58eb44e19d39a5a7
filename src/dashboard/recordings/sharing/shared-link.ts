import type { SharingConfiguration } from '../../../contract/sharing.ts'

/** The address that opens a shared recording without a key. */
export function sharedLink({ access_token: token }: Pick<SharingConfiguration, 'access_token'>): string {
  return `${location.origin}/shared/${token}`
}
