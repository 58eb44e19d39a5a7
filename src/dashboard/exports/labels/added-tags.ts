import { tagLengthMax, tagsMax } from '../../../contract/exports/export-labels.ts'

/** Adds the tags of a text, separated by commas, to others; as the service stores them. */
export function addedTags(tags: readonly string[], text: string): string[] {
  const typed = text
    .split(',')
    .map((tag) => tag.trim().slice(0, tagLengthMax).trim())
    .filter((tag) => tag !== '')
  return [...new Set([...tags, ...typed])].slice(0, tagsMax)
}
