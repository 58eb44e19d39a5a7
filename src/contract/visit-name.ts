/**
 * Returns the name by which people know a visit: the person's name or e-mail, else two words that always belong to the
 * distinct id, such as "Amber Heron". The API gives persons without a name their distinct id as `personName`.
 */
export function visitName(personName: string | null, distinctId: string): string {
  if (isNamed(personName, distinctId)) return personName || distinctId
  const hash = hashOf(distinctId)
  return `${pick(adjectives, hash)} ${pick(animals, Math.floor(hash / adjectives.length))}`
}

/** Whether the name is the person's own, rather than derived from the distinct id. */
export function isNamed(personName: string | null, distinctId: string): boolean {
  return (personName !== null && personName !== '' && personName !== distinctId) || isEmail(distinctId)
}

/** Returns the hue (degrees) of the round mark beside a visit's name. */
export function visitHue(distinctId: string): number {
  return hashOf(distinctId) % 360
}

function isEmail(id: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(id)
}

/** A prime, so that all bits of a hash depend on all characters. */
const modulus = 16_777_213
/** Near the golden ratio of the modulus, so that consecutive ids have unlike names; the product stays exact. */
const factor = 10_368_889

function hashOf(id: string): number {
  let hash = 0
  for (const character of id) hash = ((hash + (character.codePointAt(0) ?? 0)) * factor) % modulus
  return hash
}

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] ?? ''
}

/** Changing these lists renames visits. */
const adjectives =
  `Amber Autumn Azure Birch Bright Bronze Calm Candid Cedar Cherry Clear Clever Cloud Cobalt Copper Coral
  Cosmic Crimson Crystal Dapper Dawn Eager Early Ember Fern Gentle Ginger Golden Granite Hazel Honey Indigo
  Ivory Jade Jolly Keen Lilac Linen Lively Lunar Maple Marble Merry Mild Mint Misty Mossy Navy
  Nimble Olive Opal Pearl Plucky Quiet Rosy Ruby Rustic Saffron Silver Sunny Swift Teal Velvet Willow`.split(
    /\s+/,
  )
const animals =
  `Alpaca Badger Beaver Bison Bobcat Bunting Caribou Condor Crane Cricket Curlew Deer Dolphin Dove Egret Falcon
  Ferret Finch Firefly Fox Gazelle Gecko Hare Hedgehog Heron Ibex Ibis Jackdaw Jay Kestrel Kiwi Koala
  Lark Lemur Lynx Magpie Marmot Marten Moose Newt Ocelot Orca Osprey Otter Owl Panda Penguin Pika
  Plover Puffin Quail Rabbit Raven Robin Seal Sparrow Starling Stork Swallow Swan Tern Turtle Wombat Wren`.split(
    /\s+/,
  )
