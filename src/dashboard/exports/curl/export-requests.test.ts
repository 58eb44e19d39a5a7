import { expect, test } from 'vitest'
import { requestsOfExports } from './export-requests.ts'

test('many exports are downloaded as several files, whose URLs a server accepts', () => {
  const rows = Array.from({ length: 1000 }, () => ({ id: crypto.randomUUID(), team_id: 7 }))
  const downloads = requestsOfExports(rows).filter(({ label }) => label.startsWith('Download'))
  expect(downloads.map(({ label }) => label).slice(-1)).toEqual(['Download as YAML, file 7 of 7'])
  for (const { command } of downloads) expect(command.length).toBeLessThan(8000)
  const named = downloads.map(({ command }) => command).join()
  expect(rows.filter(({ id }) => !named.includes(id))).toEqual([])
  const few = requestsOfExports(rows.slice(0, 2)).map(({ label }) => label)
  expect(few).toContain('Download as YAML')
})
