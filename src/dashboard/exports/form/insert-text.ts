/** Writes at the caret of the field that has the focus, as if typed: only so can it be taken back by Ctrl+Z. */
export function insertText(text: string): void {
  // Deprecated, but nothing else keeps the field's own history.
  document.execCommand('insertText', false, text)
}
