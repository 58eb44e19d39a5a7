import { EventType, IncrementalSource, MouseInteractions } from '../src/replay/recorded/rrweb.ts'
import type { RecordedEvent } from './recorded-session.ts'

/* Recordings as PostHog's recorders for apps send them; see `ee/frontend/mobile-replay` in its repository for the format. */

/** Properties of a recorder's items; the recorder has one window and sends no window id. */
export const mobileProperties = { $snapshot_source: 'mobile', $window_id: undefined, $lib: 'posthog-ios' }

/** Size of the recorded screens, in the recorder's pixels. */
export const screenSize = { width: 390, height: 844 }

export type Wireframe = Record<string, unknown>

/** Address of an iOS view, as the recorder sends it. */
const view = 4_403_110_912

/** One screenshot a second, as iOS, React Native and Flutter send them by default, with a tap in each second. */
export function screenshots(start: number, images: readonly string[]): RecordedEvent[] {
  return [
    meta(start, 'LampsView'),
    ...images.flatMap((base64, second) => {
      const at = start + second * 1000
      const place = { id: view, x: 0, y: 0, ...screenSize }
      return [snapshot(at + 1, { ...place, type: 'screenshot', base64 }), ...tap(at + 500, 100, 200)]
    }),
  ]
}

/** A settings screen as Android sends it in wireframe mode: a wireframe of each type, after `others`. */
export function wireframes(start: number, image: string, others: readonly Wireframe[] = []): RecordedEvent[] {
  let id = 0
  const row = (y: number, more: Wireframe): Wireframe => ({
    id: 71_600_000 + (id += 1),
    x: 20,
    y,
    width: 350,
    height: 36,
    style: {},
    ...more,
  })
  const input = (y: number, inputType: string, more: Wireframe) =>
    row(y, { type: 'input', inputType, disabled: false, ...more })
  const title = row(60, {
    type: 'text',
    text: 'Settings',
    style: { color: '#0000FF', fontSize: 24, verticalAlign: 'center' },
  })
  const group = {
    type: 'radio_group',
    childWireframes: [input(340, 'radio', { label: 'Warm', checked: true })],
  }
  const all = [
    row(0, { x: 0, width: 390, height: 44, type: 'status_bar' }),
    title,
    row(100, { type: 'rectangle', height: 20, style: { backgroundColor: '#00FF00', borderRadius: 4 } }),
    row(130, { type: 'image', base64: image, width: 60, height: 60 }),
    row(130, { type: 'placeholder', label: 'Map of the shop', x: 100, width: 120, height: 60 }),
    row(130, { type: 'web_view', url: 'https://shop.example/help', x: 230, width: 140, height: 60 }),
    input(200, 'text', { value: 'Ada' }),
    input(240, 'password', { value: '********' }),
    input(280, 'checkbox', { label: 'Newsletter', checked: true }),
    row(340, group),
    input(380, 'toggle', { label: 'Wi-Fi', checked: true }),
    input(420, 'select', { value: 'Euro', options: ['Euro', 'Yen'] }),
    input(460, 'button', { value: 'Pay' }),
    input(500, 'text_area', { value: 'Leave it\nat the door' }),
    input(545, 'progress', { value: 30, max: 120, style: { bar: 'horizontal' } }),
    input(585, 'progress', { style: { bar: 'circular' }, width: 36 }),
    input(625, 'progress', { value: 4, max: 5, style: { bar: 'rating' } }),
    row(665, { type: 'hologram', label: 'New kind' }),
    row(796, { x: 0, width: 390, height: 48, type: 'navigation_bar' }),
  ]
  const screen: Wireframe = {
    ...row(0, { x: 0, ...screenSize, type: 'div' }),
    childWireframes: [...others, ...all],
  }
  return [
    meta(start, 'SettingsActivity'),
    snapshot(start + 1, screen),
    ...tap(start + 1000, 60, 215),
    keyboard(start + 1200, { open: true, height: 260 }),
    mutation(start + 2000, {
      updates: [{ parentId: screen['id'], wireframe: { ...title, text: 'Saved settings' } }],
      adds: [{ parentId: screen['id'], wireframe: row(705, { type: 'text', text: 'Added at the end' }) }],
      removes: [{ parentId: screen['id'], id: all[17]?.['id'] }],
    }),
    keyboard(start + 3000, { open: false }),
    ...tap(start + 4000, 60, 480),
  ]
}

function meta(timestamp: number, href: string): RecordedEvent {
  return { type: EventType.Meta, timestamp, data: { href, ...screenSize } }
}

function snapshot(timestamp: number, wireframe: Wireframe): RecordedEvent {
  const data = { wireframes: [wireframe], initialOffset: { top: 0, left: 0 } }
  return { type: EventType.FullSnapshot, timestamp, data }
}

function mutation(timestamp: number, changes: Record<string, unknown>): RecordedEvent {
  return incremental(timestamp, { source: IncrementalSource.Mutation, ...changes })
}

function keyboard(timestamp: number, payload: Record<string, unknown>): RecordedEvent {
  return { type: EventType.Custom, timestamp, data: { tag: 'keyboard', payload } }
}

function tap(timestamp: number, x: number, y: number): RecordedEvent[] {
  const touch = (at: number, type: number) =>
    incremental(at, { id: 0, pointerType: 2, source: IncrementalSource.MouseInteraction, type, x, y })
  return [touch(timestamp, MouseInteractions.TouchStart), touch(timestamp + 80, MouseInteractions.TouchEnd)]
}

function incremental(timestamp: number, data: Record<string, unknown>): RecordedEvent {
  return { type: EventType.IncrementalSnapshot, timestamp, data }
}
