import { z } from 'zod'
import { EventFilter, jsonParameter, PropertyFilter } from './recording-filter.ts'

export const MatchingEventsQuery = z.object({
  session_ids: jsonParameter(z.array(z.string()).max(10_000)).optional(),
  events: jsonParameter(z.array(EventFilter).max(20)).optional(),
  actions: jsonParameter(z.array(EventFilter).max(20)).optional(),
  properties: jsonParameter(z.array(PropertyFilter).max(20)).optional(),
})

export const PropertiesQuery = z.object({
  session_ids: jsonParameter(z.array(z.unknown()).max(1000)).optional(),
})

/** Suggests names of events or properties or, with `key`, values of that property; `search` is a part of what is suggested. */
export const FilterValuesQuery = z.object({
  type: z.enum(['event', 'property']).default('event'),
  key: z.string().min(1).max(200).optional(),
  search: z.string().max(200).default(''),
})
/** At most 20 values, those that begin with the searched text first. */
export const FilterValues = z.object({ results: z.array(z.string()) })
