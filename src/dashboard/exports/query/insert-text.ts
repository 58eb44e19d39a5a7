/** Inserts text at the caret of the focused field as if typed, so that Ctrl+Z undoes it. */
export function insertText(text: string): void {
  // Deprecated, but no other API keeps the field's undo history.
  document.execCommand('insertText', false, text)
}
