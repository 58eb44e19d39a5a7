import { expect, test } from 'vitest'
import { BatchExportUpdate } from '../../../contract/exports/batch-export.ts'
import { addedTags } from './tags-field.tsx'

test('adds each tag of a text once', () => {
  expect(addedTags(['lake'], ' crm , lake,, finance ')).toEqual(['lake', 'crm', 'finance'])
})

test('the service accepts whatever is added', () => {
  const long = Array.from({ length: 30 }, (_, index) => `${index}${'x'.repeat(48)} y`).join(',')
  const tags = addedTags([], long)
  expect(tags).toHaveLength(20)
  expect(BatchExportUpdate.parse({ tags }).tags).toEqual(tags)
})
