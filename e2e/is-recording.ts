/** Runs in a page. rrweb knows the document once it has stored it whole; posthog-js says that it records a little too early. */
export function isRecording(): boolean {
  const { rrweb } = window as unknown as {
    rrweb?: { record: { mirror: { getId(node: Node): number } } }
  }
  return rrweb !== undefined && rrweb.record.mirror.getId(document) > 0
}
