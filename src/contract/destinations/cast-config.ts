import { z } from 'zod'
import type { DestinationConfig } from './destination-kind.ts'

/** Returns a config in which numbers and switches that PostHog's clients send as text have their type. */
export function castConfig(schema: z.ZodObject, config: DestinationConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (typeof value !== 'string' || !Object.hasOwn(schema.shape, name)) return [name, value]
      const type = withoutWrappers(schema.shape[name])
      if (type instanceof z.ZodNumber) return [name, /^-?\d{1,15}$/.test(value) ? Number(value) : value]
      const isSwitch = type instanceof z.ZodBoolean || type instanceof z.ZodLiteral
      return [name, isSwitch ? castBoolean(value) : value]
    }),
  )
}

function withoutWrappers(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? withoutWrappers(schema.unwrap())
    : schema
}

/** Returns `true` or `false` for their names in text; any other value as it is. */
export function castBoolean(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const name = value.toLowerCase()
  return name === 'true' ? true : name === 'false' ? false : value
}
