/** Runs in a page. rrweb assigns the document an id with the full snapshot; posthog-js reports recording slightly earlier. */
export function isRecording(): boolean {
  const { rrweb } = window as unknown as {
    rrweb?: { record: { mirror: { getId(node: Node): number } } }
  }
  return rrweb !== undefined && rrweb.record.mirror.getId(document) > 0
}
