import {
  BoxGeometry,
  Color,
  DirectionalLight,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three'

const scene = new Scene()
scene.background = new Color('midnightblue')
const cube = new Mesh(new BoxGeometry(2, 2, 2), new MeshLambertMaterial({ color: 'gold' }))
cube.rotation.set(0.5, 0.7, 0)
const light = new DirectionalLight('white', 3)
light.position.set(2, 3, 4)
scene.add(cube, light)
const camera = new PerspectiveCamera(50, 1.5)
camera.position.z = 5
const renderer = new WebGLRenderer()
renderer.setSize(600, 400)
document.querySelector('#root').append(renderer.domElement)
// Draws the same picture in every frame, as scenes that move do.
renderer.setAnimationLoop(() => renderer.render(scene, camera))
