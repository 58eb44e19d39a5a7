/** An invented shop for lamps and fabrics. */
export const site = 'lumen-and-loom.example'

export type Product = {
  slug: string
  name: string
  category: 'lamps' | 'fabrics'
  /** In euros. */ price: number
}

/** The best-selling first. */
export const products: readonly Product[] = [
  { slug: 'arc-floor-lamp', name: 'Arc floor lamp', category: 'lamps', price: 189 },
  { slug: 'linen-natural', name: 'Linen, natural', category: 'fabrics', price: 24.5 },
  { slug: 'globe-pendant', name: 'Globe pendant', category: 'lamps', price: 129 },
  { slug: 'reading-lamp-brass', name: 'Reading lamp, brass', category: 'lamps', price: 94 },
  { slug: 'cotton-poplin', name: 'Cotton poplin', category: 'fabrics', price: 14.9 },
  { slug: 'paper-shade-large', name: 'Paper shade, large', category: 'lamps', price: 39 },
  { slug: 'wool-felt-moss', name: 'Wool felt, moss', category: 'fabrics', price: 32 },
  { slug: 'desk-lamp-clamp', name: 'Desk lamp with clamp', category: 'lamps', price: 74 },
  { slug: 'velvet-ochre', name: 'Velvet, ochre', category: 'fabrics', price: 28.9 },
  { slug: 'wall-lamp-opal', name: 'Wall lamp, opal', category: 'lamps', price: 88 },
  { slug: 'curtain-fabric-sheer', name: 'Curtain fabric, sheer', category: 'fabrics', price: 19.5 },
  { slug: 'led-bulb-warm', name: 'LED bulb, warm', category: 'lamps', price: 9.9 },
  { slug: 'canvas-heavy', name: 'Canvas, heavy', category: 'fabrics', price: 21 },
  { slug: 'table-lamp-ceramic', name: 'Table lamp, ceramic', category: 'lamps', price: 119 },
  { slug: 'denim-indigo', name: 'Denim, indigo', category: 'fabrics', price: 18.5 },
  { slug: 'chandelier-twelve', name: 'Chandelier, twelve arms', category: 'lamps', price: 640 },
]
