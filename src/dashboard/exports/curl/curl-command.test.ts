import { expect, test } from 'vitest'
import { curlCommand } from './curl-command.ts'

const params = { project_id: '7', id: 'a b' }

test('takes method and path from the table of endpoints, and the key from a variable', () => {
  expect(curlCommand('deleteBatchExport', { params })).toBe(
    [
      "curl --globoff -X DELETE --url 'http://localhost/api/projects/7/batch_exports/a%20b/'",
      '  -H "Authorization: Bearer $SPOOL_API_KEY"',
    ].join(' \\\n'),
  )
})

test('quotes the body, and escapes characters that a terminal obeys', () => {
  const command = curlCommand('updateBatchExport', {
    params,
    body: { name: "it's", note: 'a\u202e\u007f\n' },
  })
  expect(command).toContain(String.raw`"name": "it'\''s"`)
  expect(command).toContain(String.raw`"note": "a\u202e\u007f\n"`)
})
