/** Returns the URL that opens a shared recording without an API key. */
export function sharedLink({ access_token: token }: { access_token: string }): string {
  return `${location.origin}/shared/${token}`
}
