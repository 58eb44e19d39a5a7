import { expect, test } from 'vitest'
import { entriesFor, type Entry, type Group } from './entries.ts'

function entry(label: string, group: Group): Entry {
  return { id: label, label, group, run: () => undefined }
}

const entries = [
  entry('Pause', 'On this page'),
  entry('Orders', 'Batch exports'),
  entry('Paused partners', 'Batch exports'),
  entry('API keys', 'Go to'),
]

const labels = (found: Entry[]) => found.map(({ group, label }) => `${group}: ${label}`)

test('without text, recently chosen entries come first and appear once', () => {
  expect(labels(entriesFor('', entries, ['API keys', 'gone', 'Orders']))).toEqual([
    'Recent: API keys',
    'Recent: Orders',
    'On this page: Pause',
    'Batch exports: Paused partners',
  ])
})

test('with text, the group of the best match comes first', () => {
  expect(labels(entriesFor('paused', entries, []))).toEqual(['Batch exports: Paused partners'])
  expect(labels(entriesFor('p', entries, []))).toEqual([
    'On this page: Pause',
    'Batch exports: Paused partners',
    'Go to: API keys',
  ])
})

test('of two equal matches, the recently chosen one comes first', () => {
  const twins = [entry('Orders north', 'Batch exports'), entry('Orders south', 'Batch exports')]
  expect(entriesFor('orders', twins, ['Orders south'])[0]?.label).toBe('Orders south')
})
