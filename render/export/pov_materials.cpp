// Textures for POV-Ray.
#include "tenon/render/export/pov.h"

namespace tenon::exports {

std::string PovWriter::materials_include() {
  return R"pov(// Written by Tenon: textures of materials, for POV-Ray 3.7.
// Color is linear rgb; Rough 0 (mirror) to 1 (matt); Metal 0 to 1; Refl: share of light that is
// mirrored straight on; Size in metres. Change them as you like: every look of a scene is made here.
#ifndef (Tenon_Materials_Inc)
#declare Tenon_Materials_Inc = 1;

// How a surface takes light: matt ones scatter, smooth ones mirror at grazing angles, metals mirror
// in their own colour.
#macro Tenon_Finish(Rough, Metal, Refl)
  finish {
    ambient 1 - 0.7*Metal
    diffuse 1 - 0.75*Metal - 0.3*Refl
    specular (0.35 + 0.4*Metal)*(1 - Rough)
    roughness max(0.0008, 0.25*Rough*Rough)
    #if (Metal > 0.5)
      metallic
      reflection { 0.7*(1 - 0.75*Rough) metallic }
    #else
      reflection { Refl*(1 - Rough), 0.5*(1 - Rough)*(1 - Rough) falloff 5 }
    #end
  }
#end

#macro Tenon_Plain(Color, Rough, Metal, Refl)
  texture { pigment { Color } Tenon_Finish(Rough, Metal, Refl) }
#end

// Year rings about an axis along the body, Grain = 0, 1, 2 for x, y, z, and a little beside it.
#macro Tenon_Wood(Color, Size, Grain, Rough, Metal, Refl)
  texture {
    pigment {
      wood ramp_wave turbulence 0.06 omega 0.5 lambda 2 octaves 4
      color_map {
        [0.00 Color*1.18] [0.35 Color*1.12] [0.88 Color*<0.55, 0.46, 0.40>]
        [0.95 Color*<0.60, 0.52, 0.45>] [1.00 Color*1.18]
      }
      translate <2.5, -4.5, 0>
      #if (Grain = 0) rotate 90*y #end
      #if (Grain = 1) rotate 90*x #end
      scale Size
    }
    Tenon_Finish(Rough, Metal, Refl)
  }
#end

#macro Tenon_Stone(Color, Size, Rough, Metal, Refl)
  texture {
    pigment {
      granite turbulence 0.2
      color_map { [0.0 Color*0.62] [0.4 Color*0.95] [0.7 Color*1.1] [1.0 Color*1.35] }
      scale 2*Size
    }
    normal { granite 0.15 scale Size }
    Tenon_Finish(Rough, Metal, Refl)
  }
#end

#macro Tenon_Brushed(Color, Size, Rough, Metal, Refl)
  texture {
    pigment { Color }
    normal { bumps 0.08 scale Size*<0.5, 0.015, 0.015> }
    Tenon_Finish(Rough, Metal, Refl)
  }
#end

// Fields for scale; cubes of half a field below the surface, so that it cuts them in their middle.
#macro Tenon_Checker(Color, Size, Rough, Metal, Refl)
  texture {
    pigment { checker Color, Color*0.84 translate -0.5*y scale Size }
    Tenon_Finish(Rough, Metal, Refl)
  }
#end

#macro Tenon_Glass(Color, Clear, Ior, Rough, Metal, Refl)
  texture {
    pigment { Color filter Clear }
    finish {
      ambient 1 - Clear diffuse 1 - Clear specular 0.8 roughness 0.0015
      reflection { 0, 1 fresnel on } conserve_energy
    }
  }
  interior { ior max(Ior, 1.0001) }
#end

#macro Tenon_Ice(Color, Size, Clear, Ior, Rough, Metal, Refl)
  texture {
    pigment {
      bozo turbulence 0.5
      color_map { [0.0 Color filter Clear] [0.6 Color filter 0.9*Clear] [1.0 rgb <0.95, 0.97, 1> filter 0.6*Clear] }
      scale 0.6*Size
    }
    normal { bumps 0.1 scale 0.4*Size }
    finish {
      ambient 0.6*(1 - Clear) diffuse 0.9*(1 - Clear) + 0.1 specular 0.6 roughness 0.004
      reflection { 0, 1 fresnel on } conserve_energy
    }
  }
  interior { ior max(Ior, 1.0001) }
#end

// Marks that are not there: lit from inside, without shadows of their own.
#macro Tenon_Glow(Color, Strength)
  texture { pigment { Color } finish { ambient 0 diffuse 0.2 emission min(Strength, 1) } }
#end

#end
)pov";
}

}  // namespace tenon::exports
