import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldMessage, lengthMessage, required } from './field-message.ts'

test('a message at its field does not repeat the field name', () => {
  expect(fieldMessage("Configuration missing required field: 'region'")).toBe('This field is required.')
  expect(fieldMessage("Configuration has invalid value for 'path': it leads out of the exports folder")).toBe(
    'It leads out of the exports folder',
  )
  expect(fieldMessage('Failed to parse query')).toBe('Failed to parse query')
})

test('a text that is too short or too long gets the dashboard’s own message', () => {
  const schema = z.string().min(1).max(3)
  const messageOf = (text: string) =>
    schema.safeParse(text, { error: lengthMessage }).error?.issues.map(({ message }) => message)
  expect(messageOf('')).toEqual([required])
  expect(messageOf('four')).toEqual(['At most 3 characters.'])
})
