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

test('without a text, what was chosen last comes first and is not there twice', () => {
  expect(labels(entriesFor('', entries, ['API keys', 'gone', 'Orders']))).toEqual([
    'Recent: API keys',
    'Recent: Orders',
    'On this page: Pause',
    'Batch exports: Paused partners',
  ])
})

test('with a text, the group of the best answer comes first', () => {
  expect(labels(entriesFor('paused', entries, []))).toEqual(['Batch exports: Paused partners'])
  expect(labels(entriesFor('p', entries, []))).toEqual([
    'On this page: Pause',
    'Batch exports: Paused partners',
    'Go to: API keys',
  ])
})

test('of two alike, the one chosen before comes first', () => {
  const twins = [entry('Orders north', 'Batch exports'), entry('Orders south', 'Batch exports')]
  expect(entriesFor('orders', twins, ['Orders south'])[0]?.label).toBe('Orders south')
})
