import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { bundle } from './bundle.ts'
import { reduceSchemas, withoutZodParts } from './without-zod-parts.ts'

const zod = JSON.stringify(resolve(import.meta.dirname, '../node_modules/zod/index.js'))
const code = `
  import { z } from ${zod}
  const tags = z.array(z.object({ at: z.number() }))
  export const schema = z.object({ id: z.guid(), name: z.string().min(2), tags }).strict()`

async function schemaIn(bundled: string): Promise<z.ZodType> {
  const { schema } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(bundled)}`)
  return schema
}

test('the reduced zod lacks the removed parts, and accepts and rejects the same values', async () => {
  const [complete, reduced] = [await bundle(code, []), await bundle(code, [withoutZodParts()])]
  for (const part of ['ZodEmoji', 'ZodCyclicError', 'generateFastpass', 'additionalProperties'])
    expect([part, complete.includes(part), reduced.includes(part)]).toEqual([part, true, false])
  const valid = { id: '019b8e07-4600-7000-8000-000000000001', name: 'Lamp', tags: [{ at: 1, more: 2 }] }
  const changes = [{}, { id: 'x' }, { name: 'L' }, { tags: [{ at: '1' }] }, { tags: null }, { other: 1 }]
  const [completeSchema, reducedSchema] = [await schemaIn(complete), await schemaIn(reduced)]
  const outcomes = (schema: z.ZodType) =>
    changes.map((change) => {
      const { data, error } = schema.safeParse({ ...valid, ...change })
      // The reduced zod has no messages.
      return data ?? error?.issues.map((issue) => ({ ...issue, message: null }))
    })
  expect(outcomes(reducedSchema)).toEqual(outcomes(completeSchema))
  expect(outcomes(reducedSchema)[0]).toEqual({ ...valid, tags: [{ at: 1 }] })
})

test('rejects a version of zod that lacks a part to remove', () => {
  expect(() => reduceSchemas('export const ZodString = 1')).toThrow('zod’s schemas do not contain')
})
