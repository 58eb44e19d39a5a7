import { expect, test } from 'vitest'
import { models } from '../../../contract/exports/export-rules.ts'
import { foldedInWords, isPreset, presets } from './presets.ts'

const config = { include_events: '', exclude_events: '' }

test.each(models)('the first preset of %s is everything, and the others differ from it', (model) => {
  const matching = presets[model].filter((preset) => isPreset(preset, { model, hogql_query: ' ', config }))
  expect(matching).toEqual(presets[model].slice(0, 1))
})

test('a filter of events does not count for other models', () => {
  const chosen = { hogql_query: '', config: { include_events: '$pageview', exclude_events: '' } }
  const labels = (model: 'events' | 'persons') =>
    presets[model].filter((preset) => isPreset(preset, { ...chosen, model })).map(({ label }) => label)
  expect(labels('events')).toEqual(['Page views'])
  expect(labels('persons')).toEqual(['All columns'])
  expect(foldedInWords({ ...chosen, model: 'events' }, false)).toBe('all columns, some events')
  expect(foldedInWords({ ...chosen, model: 'persons' }, false)).toBe('all columns')
})
