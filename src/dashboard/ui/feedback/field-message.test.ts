import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldMessage, lengthMessage, required } from './field-message.ts'

test('at its field an issue does not name the field again', () => {
  expect(fieldMessage("Configuration missing required field: 'region'")).toBe('This field is required.')
  expect(fieldMessage("Configuration has invalid value for 'path': it leads out of the exports folder")).toBe(
    'It leads out of the exports folder',
  )
  expect(fieldMessage('Failed to parse query')).toBe('Failed to parse query')
})

test('a text too short or too long says so without zod’s own words', () => {
  const schema = z.string().min(1).max(3)
  const messageOf = (text: string) =>
    schema.safeParse(text, { error: lengthMessage }).error?.issues.map(({ message }) => message)
  expect(messageOf('')).toEqual([required])
  expect(messageOf('four')).toEqual(['At most 3 characters.'])
})
