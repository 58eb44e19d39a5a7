/** The shop's products, best-selling first; prices in euros. */
export const products = [
  {
    slug: 'arc-floor-lamp',
    name: 'Arc floor lamp',
    category: 'lamps',
    price: 189,
    about: 'A long brass bow over the sofa, with a marble foot that stays where it is.',
  },
  {
    slug: 'linen-natural',
    name: 'Linen, natural',
    category: 'fabrics',
    price: 24.5,
    about: 'Unbleached and washed soft. Sold by the metre, 140 cm wide.',
  },
  {
    slug: 'globe-pendant',
    name: 'Globe pendant',
    category: 'lamps',
    price: 129,
    about: 'Mouth-blown opal glass on a cord that you shorten yourself.',
  },
  {
    slug: 'reading-lamp-brass',
    name: 'Reading lamp, brass',
    category: 'lamps',
    price: 94,
    about: 'Turns and tilts, and dims with one finger.',
  },
  {
    slug: 'paper-shade-large',
    name: 'Paper shade, large',
    category: 'lamps',
    price: 39,
    about: 'Folded from one sheet of mulberry paper.',
  },
  {
    slug: 'wool-felt-moss',
    name: 'Wool felt, moss',
    category: 'fabrics',
    price: 32,
    about: 'Three millimetres thick, for cushions, bags and quiet walls.',
  },
  {
    slug: 'velvet-ochre',
    name: 'Velvet, ochre',
    category: 'fabrics',
    price: 28.9,
    about: 'Heavy cotton velvet that catches the evening sun.',
  },
  {
    slug: 'table-lamp-ceramic',
    name: 'Table lamp, ceramic',
    category: 'lamps',
    price: 119,
    about: 'Thrown by hand, so no two are the same.',
  },
  {
    slug: 'wall-light-glass',
    name: 'Wall light, glass',
    category: 'lamps',
    price: 76,
    about: 'A ribbed glass cup on a brass arm, for halls and beside mirrors.',
  },
  {
    slug: 'clamp-lamp-green',
    name: 'Clamp lamp, green',
    category: 'lamps',
    price: 58,
    about: 'Holds on to shelves and desks up to five centimetres thick.',
  },
  {
    slug: 'cotton-indigo',
    name: 'Cotton, indigo',
    category: 'fabrics',
    price: 19.8,
    about: 'Dyed in the yarn, so the blue fades evenly and slowly.',
  },
  {
    slug: 'canvas-rust',
    name: 'Canvas, rust',
    category: 'fabrics',
    price: 22.4,
    about: 'Tightly woven and hard-wearing, for deck chairs and aprons.',
  },
]

export function productOf(slug) {
  return products.find((product) => product.slug === slug)
}

export function euros(amount) {
  return `€ ${amount.toFixed(2)}`
}
