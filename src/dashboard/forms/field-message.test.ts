import { expect, test } from 'vitest'
import { fieldMessage } from './field-message.ts'

test('at its field an issue does not name the field again', () => {
  expect(fieldMessage("Configuration missing required field: 'region'")).toBe('This field is required.')
  expect(fieldMessage("Configuration has invalid value for 'path': it leads out of the exports folder")).toBe(
    'It leads out of the exports folder',
  )
  expect(fieldMessage('Failed to parse query')).toBe('Failed to parse query')
})
