/** Returns the URL that opens a shared recording without an API key. */
export function sharedLink({ access_token: token }: { access_token: string }): string {
  return `${location.origin}/shared/${token}`
}

/** Returns the HTML that shows a shared recording in another page. */
export function embedCode({ access_token: token }: { access_token: string }): string {
  const source = `${location.origin}/embedded/${token}`
  return `<iframe src="${source}" title="Recording" width="100%" height="540" style="border: 0" allowfullscreen></iframe>`
}
